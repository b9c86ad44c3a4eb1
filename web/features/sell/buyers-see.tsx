import { ImageOff } from 'lucide-react'
import { useWatch, type Control } from 'react-hook-form'
import { materials } from '#contract/materials.ts'
import type { SellValues } from '#web/features/sell/sell-values.ts'
import { formatPrice, penceOf } from '#web/money.ts'
import { formatWeight } from '#web/weight.ts'

/** What stands in the list once it runs. */
export function BuyersSee({ control }: { control: Control<SellValues> }) {
  const [media, title, material_id, price_basis, weight_kg, start_price] = useWatch({
    control,
    name: ['media', 'title', 'material_id', 'price_basis', 'weight_kg', 'start_price'],
  })
  const photo = media.find(({ thumbnail_url }) => thumbnail_url)?.thumbnail_url
  const about = [material_id && materialOf(material_id), weight_kg && formatWeight(weight_kg)].filter(Boolean).join(' · ')
  return (
    <div
      role="group"
      aria-label="What buyers see"
      className="grid grid-cols-[6.5rem_minmax(0,1fr)] rounded-base border border-line bg-surface"
    >
      {photo ? (
        <img src={photo} alt="" className="h-full min-h-24 w-full rounded-l-[5px] object-cover" />
      ) : (
        <div className="grid min-h-24 place-items-center rounded-l-[5px] bg-sunken text-muted">
          <ImageOff className="size-6" strokeWidth={1.5} aria-hidden="true" />
        </div>
      )}
      <div className="grid content-center gap-1 p-3">
        <p className="line-clamp-2 text-16 font-strong wrap-anywhere">{title.trim() || 'Your title'}</p>
        {about && <p className="text-muted">{about}</p>}
        <p className="tabular text-20 font-strong">
          {start_price === null ? 'No start price yet' : formatPrice(penceOf(start_price), price_basis)}
          {start_price !== null && price_basis === 'lot' && <span className="text-16 font-normal text-muted"> lot</span>}
        </p>
      </div>
    </div>
  )
}

const materialOf = (id: keyof typeof materials) => {
  const { group, name } = materials[id]
  return group === name || group === 'Goods' ? name : `${group} ${name}`
}
