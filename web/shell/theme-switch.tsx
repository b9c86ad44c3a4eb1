import { Monitor, Moon, Sun, type LucideIcon } from 'lucide-react'
import { useState } from 'react'

const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const
type Theme = keyof typeof themes

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

/** web/public/theme.js applies the choice before the first paint of the next visit. */
function useTheme() {
  const [theme, setTheme] = useState<Theme>(() => (document.documentElement.dataset.theme as Theme | undefined) ?? 'system')
  const choose = (next: Theme) => {
    setTheme(next)
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
    try {
      localStorage.setItem('theme', next)
    } catch {
      // storage is switched off: the choice lasts as long as the page
    }
  }
  return { theme, choose }
}
