import { Controller, useWatch } from 'react-hook-form'
import type { MaterialPreferences } from '#contract/market/preferences.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'
import { call } from '#web/api/api.ts'
import { saySuccess } from '#web/api/notices.ts'
import { queryClient } from '#web/api/query-client.ts'
import { refreshUser } from '#web/api/session.ts'
import { preferencesQuery } from '#web/features/preferences/queries.ts'
import { useForm } from '#web/forms/form.ts'
import { Section } from '#web/page/sections.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

type Values = {
  material_ids: MaterialId[]
  min_weight_kg: number | null
  post_code: string
  radius_miles: number | null
  alerts: boolean
  show_on_map: boolean
}

const WEIGHT_MAX = 1_000_000
const RADIUS_MAX = 500
const USUAL_RADIUS = 50

const groups = Object.entries(
  Object.groupBy(Object.entries(materials) as [MaterialId, (typeof materials)[MaterialId]][], ([, { group }]) => group),
)

/** Materials and grades, least weight, how far, and whether to be told. */
export function PreferencesForm({ saved, isToldOfEnquiries }: { saved: MaterialPreferences; isToldOfEnquiries: boolean }) {
  const { form, field, errorOf, submit, isSending } = useForm<Values>({
    defaultValues: {
      material_ids: saved.material_ids,
      min_weight_kg: saved.min_weight_kg,
      post_code: saved.post_code ?? '',
      radius_miles: saved.radius_miles ?? USUAL_RADIUS,
      alerts: saved.alerts,
      show_on_map: saved.show_on_map ?? false,
    },
    send: async ({ post_code, radius_miles, min_weight_kg, show_on_map, ...values }) => {
      const where = post_code.trim()
      const { data, message } = await call('POST /api/v1/auth/marketplace/preferences', {
        body: {
          ...values,
          min_weight_kg,
          ...(where && { post_code: where, radius_miles }),
          ...(saved.show_on_map !== null && { show_on_map }),
        },
      })
      queryClient.setQueryData(preferencesQuery.queryKey, data)
      void queryClient.invalidateQueries({ queryKey: ['listings-for-you'] })
      void refreshUser()
      saySuccess(message)
    },
  })
  const hasPlace = useWatch({ control: form.control, name: 'post_code' }).trim() !== ''
  return (
    <form noValidate onSubmit={(event) => void submit(event)} aria-label="Material preferences">
      <Section title="What you buy" about="Materials and their grades. Listings and enquiries of these are for you.">
        <Controller
          control={form.control}
          name="material_ids"
          render={({ field: { value, onChange } }) => <Materials chosen={value} onChange={onChange} />}
        />
      </Section>
      <Section title="From which weight on" about="One without a weight matches too.">
        <Controller
          control={form.control}
          name="min_weight_kg"
          render={({ field: { name, value, onChange } }) => (
            <NumberField
              name={name}
              label="Least weight (optional)"
              unit="kg"
              className="max-w-60"
              min={1}
              max={WEIGHT_MAX}
              decimals={0}
              value={value}
              onValue={onChange}
              error={errorOf('min_weight_kg')}
            />
          )}
        />
      </Section>
      <Section title="How far you go" about="Counted from the middle of the postcode district. Without a post code: the whole UK.">
        <div className="grid grid-cols-2 gap-4">
          <TextField
            label="Post code (optional)"
            placeholder="M1 or M1 4BT"
            autoComplete="postal-code"
            autoCapitalize="characters"
            maxLength={8}
            {...field('post_code')}
          />
          <Controller
            control={form.control}
            name="radius_miles"
            rules={{ validate: (miles) => !hasPlace || (miles !== null && miles >= 1) || 'At least 1 mile' }}
            render={({ field: { name, value, onChange } }) => (
              <NumberField
                name={name}
                label="Within"
                unit="miles"
                min={1}
                max={RADIUS_MAX}
                decimals={0}
                disabled={!hasPlace}
                value={value}
                onValue={onChange}
                error={errorOf('radius_miles')}
              />
            )}
          />
        </div>
      </Section>
      <Section
        title="Alerts"
        about={isToldOfEnquiries ? undefined : 'Being told of enquiries comes with Full. Matching listings are told with every plan.'}
      >
        <Checkbox
          label={isToldOfEnquiries ? 'Tell me of matching enquiries and listings' : 'Tell me of matching listings'}
          help="In the app, and by email and push as your notification settings say."
          {...field('alerts')}
        />
      </Section>
      {saved.show_on_map !== null && (
        <Section title="The market’s map" about="Merchants look there for tradespeople.">
          <Checkbox
            label="Show my business on the map"
            help="Your company name and trade at the middle of your postcode district. Never your street."
            {...field('show_on_map')}
          />
        </Section>
      )}
      <div className="sticky z-20 border-t border-line bg-ground py-3 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] md:bottom-0">
        <Button type="submit" isLoading={isSending} className="max-md:w-full">
          Save preferences
        </Button>
      </div>
    </form>
  )
}

type MaterialsProps = { chosen: MaterialId[]; onChange: (chosen: MaterialId[]) => void }

/** A group is ticked when all of its grades are. */
function Materials({ chosen, onChange }: MaterialsProps) {
  const set = (ids: readonly MaterialId[], isWanted: boolean) =>
    onChange(isWanted ? [...new Set([...chosen, ...ids])] : chosen.filter((id) => !ids.includes(id)))
  return (
    <div className="grid">
      {groups.map(([group, members = []]) => {
        const ids = members.map(([id]) => id)
        const isAll = ids.every((id) => chosen.includes(id))
        return (
          <fieldset key={group} className="border-t border-line py-1 first:border-t-0">
            <legend className="sr-only">{group}</legend>
            <Checkbox
              label={<span className="font-strong">{members.length > 1 ? `${group}, all grades` : group}</span>}
              checked={isAll}
              onChange={({ target }) => set(ids, target.checked)}
            />
            {members.length > 1 && (
              <div className="grid grid-cols-2 gap-x-4 pl-8">
                {members.map(([id, { name }]) => (
                  <Checkbox key={id} label={name} checked={chosen.includes(id)} onChange={({ target }) => set([id], target.checked)} />
                ))}
              </div>
            )}
          </fieldset>
        )
      })}
    </div>
  )
}
