import type { BidStep } from '#domain/bids/bidding.ts'
import type { PriceBasis } from '#domain/money.ts'
import { addDuration } from '#domain/working-days.ts'
import type { DbOrTx } from '#server/db/db.ts'
import type { ReadSetting } from '#server/features/settings/settings.ts'

export type BidRules = {
  steps: Record<PriceBasis, readonly BidStep[]>
  vatRate: number
  lateBids: { windowMs: number; extensionMs: number; capMs: number }
}

export async function readSteps(db: DbOrTx, readSetting: ReadSetting): Promise<BidRules['steps']> {
  const { bid_steps_lot, bid_steps_tonne } = await readSetting.several(db, ['bid_steps_lot', 'bid_steps_tonne'])
  return { lot: bid_steps_lot, tonne: bid_steps_tonne }
}

/** The rules as the settings have them at this moment. */
export async function readBidRules(db: DbOrTx, readSetting: ReadSetting): Promise<BidRules> {
  const now = await readSetting.several(db, [
    'bid_steps_lot',
    'bid_steps_tonne',
    'vat_rate',
    'late_bid_window',
    'late_bid_extension',
    'late_bid_cap',
  ])
  return {
    steps: { lot: now.bid_steps_lot, tonne: now.bid_steps_tonne },
    vatRate: now.vat_rate,
    lateBids: {
      windowMs: milliseconds(now.late_bid_window),
      extensionMs: milliseconds(now.late_bid_extension),
      capMs: milliseconds(now.late_bid_cap),
    },
  }
}

const milliseconds = (duration: string) => addDuration(new Date(0), duration).getTime()
