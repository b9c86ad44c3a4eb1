import { addDuration } from '#domain/working-days.ts'
import type { DbOrTx } from '#server/db.ts'
import type { BidRules } from '#server/features/bids/batch.ts'
import type { ReadSetting } from '#server/features/settings/actions.ts'

export async function readSteps(db: DbOrTx, readSetting: ReadSetting): Promise<BidRules['steps']> {
  return { lot: await readSetting(db, 'bid_steps_lot'), tonne: await readSetting(db, 'bid_steps_tonne') }
}

/** The rules as the settings have them at this moment. */
export async function readBidRules(db: DbOrTx, readSetting: ReadSetting): Promise<BidRules> {
  return {
    steps: await readSteps(db, readSetting),
    vatRate: await readSetting(db, 'vat_rate'),
    lateBids: {
      windowMs: milliseconds(await readSetting(db, 'late_bid_window')),
      extensionMs: milliseconds(await readSetting(db, 'late_bid_extension')),
      capMs: milliseconds(await readSetting(db, 'late_bid_cap')),
    },
  }
}

const milliseconds = (duration: string) => addDuration(new Date(0), duration).getTime()
