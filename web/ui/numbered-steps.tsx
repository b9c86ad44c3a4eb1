type Step = { title: string; text: string }

export function NumberedSteps({ steps, className = '' }: { steps: readonly Step[]; className?: string }) {
  return (
    <ol className={className}>
      {steps.map(({ title, text }, row) => (
        <li key={title} className="grid grid-cols-[2.5rem_1fr] content-start items-baseline border-t border-line py-4">
          <span className="tabular text-28 text-copper" aria-hidden="true">
            {row + 1}
          </span>
          <div>
            <h3 className="text-16">{title}</h3>
            <p className="mt-1 text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}
