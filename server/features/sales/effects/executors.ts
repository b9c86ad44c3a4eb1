import type pg from 'pg'
import { effects, type Effect } from '#domain/sales/listing-machine-step.ts'
import { bidEffects } from '#server/features/sales/effects/bids.ts'
import { wakeWorkers, type Executor } from '#server/features/sales/effects/executor.ts'
import { goodsEffects } from '#server/features/sales/effects/goods.ts'
import { moneyEffects } from '#server/features/sales/effects/money.ts'
import { paperEffects } from '#server/features/sales/effects/papers.ts'
import type { TakenStep } from '#server/features/sales/life/taken-step.ts'

/** Columns of the listing's own row, written with its status; or what came before the step was written. */
const WITH_THE_STATUS = 'with the status'

// in the order of the table: an effect without an executor does not compile
const executors: Record<Effect, Executor | typeof WITH_THE_STATUS> = {
  ...bidEffects,
  ...moneyEffects,
  ...goodsEffects,
  ...paperEffects,
  // the photos of a listing are looked at from its upload on
  check_media: WITH_THE_STATUS,
  copy_into_new_listing: WITH_THE_STATUS,
  add_note: WITH_THE_STATUS,
  lower_reservation_price: WITH_THE_STATUS,
  keep_former_status: WITH_THE_STATUS,
  stop_clocks: WITH_THE_STATUS,
  resume_clocks: WITH_THE_STATUS,
  allow_reservation_offer: WITH_THE_STATUS,
  clear_reservation_offer: WITH_THE_STATUS,
  waive_reservation: WITH_THE_STATUS,
  kyc_pending: WITH_THE_STATUS,
  kyc_verified: WITH_THE_STATUS,
  kyc_failed: WITH_THE_STATUS,
}

/**
 * First what looks at the award as it stands (money, goods, papers), then what lets go of it, then what makes another: one award is open,
 * and one bid has won.
 */
const first: readonly Effect[] = [
  'freeze_winner',
  'win_bid',
  'reinstate_bid',
  'keep_vat_reference',
  'use_deferred_limit',
  'show_addresses',
  'approve_amend',
]
const last: readonly Effect[] = [
  'miss_bid',
  'close_buyers_bid',
  'close_bids',
  'close_losing_bids',
  'offer_at_reservation_price',
  'offer_to_next_bidder',
]
/** An Active listing has an end: it is set before the status says so. */
const beforeTheStatus: readonly Effect[] = ['set_end', 'start_over']
const inOrder: readonly Effect[] = [
  ...first,
  ...effects.filter((effect) => ![...first, ...last, ...beforeTheStatus].includes(effect)),
  ...last,
]

export const carryOutBefore = (client: pg.ClientBase, taken: readonly TakenStep[]): Promise<void> =>
  carryOut(client, taken, beforeTheStatus)

export async function carryOutAfter(client: pg.ClientBase, taken: readonly TakenStep[]): Promise<void> {
  await carryOut(client, taken, inOrder)
  if (taken.some((step) => step.effects.some((effect) => effect in moneyEffects || effect in paperEffects))) await wakeWorkers(client)
}

async function carryOut(client: pg.ClientBase, taken: readonly TakenStep[], order: readonly Effect[]): Promise<void> {
  for (const effect of order) {
    const concerned = taken.filter(({ effects: all }) => all.includes(effect))
    const executor = executors[effect]
    if (concerned.length > 0 && executor !== WITH_THE_STATUS) await executor(client, concerned)
  }
}
