import { Button } from '#web/ui/button.tsx'

export type CardFormProps = {
  /**
   * Its prefix says which form this is (SPEC §4). A function is asked when the form is sent, so that nothing is made at the provider
   * for somebody who only looks; null: there is nothing to confirm.
   */
  clientSecret: string | (() => Promise<string | null>)
  /** Tells the forms of a page apart when the bank's page comes back to it. */
  name: string
  label: string
  onConfirmed: (paymentMethod: string | null) => void | Promise<void>
  onCancel?: (() => void) | undefined
  /** What was wrong with the card before, to begin with. */
  refusal?: string | undefined
}

export const secretOf = async (given: CardFormProps['clientSecret']): Promise<string | null> =>
  typeof given === 'string' ? given : given()

type ButtonProps = { label: string; isBusy: boolean; isReady?: boolean; onCancel?: (() => void) | undefined }

export function CardButtons({ label, isBusy, isReady = true, onCancel }: ButtonProps) {
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
