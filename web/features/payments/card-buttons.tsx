import { Button } from '#web/ui/button.tsx'

type Props = { label: string; isBusy: boolean; isReady?: boolean; onCancel?: (() => void) | undefined }

export function CardButtons({ label, isBusy, isReady = true, onCancel }: Props) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" isLoading={isBusy} disabled={!isReady} className="max-md:flex-1">
        {label}
      </Button>
      {onCancel && (
        <Button kind="plain" onClick={onCancel} disabled={isBusy}>
          Cancel
        </Button>
      )}
    </div>
  )
}
