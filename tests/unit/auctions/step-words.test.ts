import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchesOf } from '#domain/sales/listing-machine.ts'
import type { Told } from '#domain/sales/listing-machine-step.ts'
import { steps } from '#domain/sales/listing-machine-table.ts'
import { stepLabels } from '#domain/sales/listing-step-words.ts'
import { stepLetters } from '#domain/notifications/steps-until-sold.ts'
import type { StepReader } from '#domain/notifications/step-words.ts'

const readers: Record<Exclude<Told, 'matching_users'>, StepReader[]> = {
  seller: ['seller'],
  // who an offer is made to reads of the offer; who was the buyer reads what became of it
  buyer: ['buyer', 'offered'],
  bidders: ['bidder'],
  admin: ['admin'],
}

test('whoever is told of a step has words for it', () => {
  for (const step of steps) {
    for (const told of new Set(branchesOf(step).flatMap(({ tells = [] }) => [...tells, ...(step.tells ?? [])]))) {
      if (told === 'matching_users') continue
      assert.ok(
        readers[told].some((reader) => stepLetters[step.name]?.[reader]),
        `${step.name} says nothing to ${told}`,
      )
    }
  }
})

test('every branch that makes an offer writes to whom it is made', () => {
  for (const step of steps) {
    const effects = branchesOf(step).flatMap((branch) => [...(branch.effects ?? []), ...(step.effects ?? [])])
    const isOffer = effects.some((effect) => effect === 'offer_to_next_bidder' || effect === 'offer_at_reservation_price')
    assert.ok(!isOffer || stepLetters[step.name]?.offered, step.name)
  }
})

test('letters are short, have a subject with the title, and no empty words', () => {
  const told = { title: 'Bright copper', price: '£250.00', until: '18 November at 16:30', reason: 'Fire in the yard' }
  for (const [step, letters] of Object.entries(stepLetters)) {
    for (const to of [
      'PendingPayment',
      'AwaitingKYC',
      'AwaitingVatNumberVerification',
      'InvoiceRequired',
      'NextBidder',
      'Expired',
      'ExchangeComplete',
      'DeferredPayment',
      'BalanceDue',
      'MissedPayment',
      'HasAdminIssue',
    ] as const) {
      for (const words of Object.values(letters)) {
        const { subject, says } = words({ ...told, to })
        assert.match(subject, /: Bright copper$/, step)
        assert.ok(
          says.every((line) => line.length > 0 && line.length < 200 && !/undefined|null/.test(line)),
          `${step}: ${says.join(' ')}`,
        )
      }
    }
  }
})

test('every step of the table has words for the timeline', () => {
  for (const { name } of steps) assert.match(stepLabels[name], /^[A-Z]/)
})
