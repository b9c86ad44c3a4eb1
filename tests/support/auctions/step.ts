import type { TakenStep } from '#server/features/sales/steps.ts'

/** A step as the machine would have decided on it, for tests that write one by themselves. */
export const stepTaken = (given: Pick<TakenStep, 'listing_id' | 'step' | 'from' | 'to' | 'actor'> & Partial<TakenStep>): TakenStep => ({
  seller_id: '',
  is_move: true,
  at: new Date(),
  due_at: null,
  actor_id: null,
  effects: [],
  tells: [],
  buyer_id: null,
  offered_to: null,
  details: {},
  ...given,
})
