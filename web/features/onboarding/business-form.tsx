import type { ComponentType, ReactNode } from 'react'
import type { UserLite } from '#contract/account.ts'
import type { OnboardingProfile } from '#contract/onboarding.ts'
import { NAME_MAX } from '#contract/values/limits.ts'
import { LICENCE_NUMBER_MAX } from '#contract/values/onboarding-stages.ts'
import { ActivitiesField } from '#web/features/onboarding/activities-field.tsx'
import { SitesFields } from '#web/features/onboarding/sites-fields.tsx'
import { useBusiness } from '#web/features/onboarding/use-business.ts'
import type { AddressInput } from '#web/forms/address-input.ts'
import { ActionBar } from '#web/ui/action-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

type Props = { user: UserLite; profile: OnboardingProfile; AddressField: ComponentType<AddressInput>; onSaved: () => Promise<void> }

/** Stage 0: only what the business does is asked of everybody. */
export function BusinessForm({ user, profile, AddressField, onSaved }: Props) {
  const { form, field, errorOf, submit, isSending } = useBusiness({ userId: user.id, profile, onSaved })
  return (
    <form noValidate onSubmit={submit} aria-label="Your business" className="grid gap-8">
      <ActivitiesField {...{ form, field }} />
      {user.business_type === 'company' && (
        <TextField
          label="Company number (optional)"
          help="8 characters, as at Companies House: 01234567 or SC123456"
          autoCapitalize="characters"
          autoComplete="off"
          maxLength={12}
          {...field('company_number')}
        />
      )}
      <Part title="Sites" about="Yards besides your company address. Leave it empty if you have none.">
        <SitesFields {...{ form, field, errorOf, AddressField }} />
      </Part>
      <Part title="Licences" about="Fill in what you have. A scrap dealer licence is only needed for buying scrap.">
        <div className="grid gap-5 md:grid-cols-2">
          <TextField label="Scrap dealer licence number" autoComplete="off" maxLength={LICENCE_NUMBER_MAX} {...field('licence_number')} />
          <TextField label="Issued by" placeholder="Leeds City Council" maxLength={NAME_MAX} {...field('licence_council')} />
          <TextField label="Expires on" type="date" {...field('licence_expires_at')} />
          <TextField
            label="Waste carrier number"
            placeholder="CBDU123456"
            autoCapitalize="characters"
            autoComplete="off"
            maxLength={30}
            {...field('waste_carrier_number')}
          />
        </div>
      </Part>
      <ActionBar>
        <Button type="submit" isLoading={isSending}>
          Save and continue
        </Button>
      </ActionBar>
    </form>
  )
}

function Part({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <section className="grid gap-5 border-t border-line pt-6">
      <div className="grid gap-1">
        <h2 className="tabular text-20">{title}</h2>
        <p className="text-muted">{about}</p>
      </div>
      {children}
    </section>
  )
}
