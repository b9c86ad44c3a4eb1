import { Monitor, Moon, Sun, type LucideIcon } from 'lucide-react'
import { themes, useTheme, type Theme } from '#web/theme.ts'

const icons: Record<Theme, LucideIcon> = { system: Monitor, light: Sun, dark: Moon }

export function ThemeSwitch() {
  const { theme, choose } = useTheme()
  return (
    <fieldset className="flex rounded-base border border-line">
      <legend className="sr-only">Theme</legend>
      {(Object.keys(themes) as Theme[]).map((name) => {
        const Icon = icons[name]
        return (
          <label
            key={name}
            title={themes[name]}
            className="relative grid size-11 place-items-center rounded-base text-muted hover:text-ink has-checked:bg-sunken has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-primary"
          >
            <input
              type="radio"
              name="theme"
              className="absolute inset-0 appearance-none outline-none"
              aria-label={themes[name]}
              checked={theme === name}
              onChange={() => choose(name)}
            />
            <Icon className="pointer-events-none size-4" aria-hidden="true" />
          </label>
        )
      })}
    </fieldset>
  )
}
