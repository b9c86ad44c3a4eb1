import type { LucideIcon } from 'lucide-react'
import type { ChangeEvent, ComponentProps } from 'react'
import { buttonLook } from '#web/ui/button.tsx'

type Props = { icon: LucideIcon; label: string; labelId?: string; onPick: (files: readonly File[]) => void } & Omit<
  ComponentProps<'input'>,
  'type' | 'className' | 'onChange'
>

/** A button that opens the files of the phone or computer, or its camera. */
export function Picker({ icon: Icon, label, labelId, onPick, ...input }: Props) {
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onPick([...(target.files ?? [])])
    // the same file may be picked again after it failed
    target.value = ''
  }
  return (
    <label
      className={buttonLook(
        'plain',
        'relative cursor-pointer whitespace-nowrap has-disabled:opacity-60 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary has-aria-invalid:border-danger',
      )}
    >
      <input type="file" className="sr-only" onChange={pick} {...input} />
      <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
      <span id={labelId}>{label}</span>
    </label>
  )
}
