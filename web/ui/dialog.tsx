import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'

type Props = {
  title: string
  children: ReactNode
  /** Absent: nothing but the dialog's own actions closes it. */
  onDismiss?: () => void
  role?: 'dialog' | 'alertdialog'
}

/** Rendered while it is open. The browser keeps the focus inside and gives it back afterwards. */
export function Dialog({ title, children, onDismiss, role = 'dialog' }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()

  // closed while it is still in the page: a browser gives the focus back from there alone
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => dialog?.close()
  }, [])

  return (
    <dialog
      ref={ref}
      role={role}
      aria-labelledby={id}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-base border border-line bg-surface p-6 text-ink shadow-lift max-md:mb-4"
      onCancel={(event) => {
        event.preventDefault()
        onDismiss?.()
      }}
      onKeyDown={(event) => {
        // browsers close on a second Escape even when the first was refused
        if (event.key === 'Escape' && !onDismiss) event.preventDefault()
      }}
    >
      <h2 id={id} className="tabular text-28">
        {title}
      </h2>
      <div className="mt-3 grid gap-5">{children}</div>
    </dialog>
  )
}
