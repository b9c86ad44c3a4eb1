import type { Listing } from '#contract/listings.ts'
import { fillForm } from '#tests/support/sales/fill-form.ts'
import { setUser, type Merchant } from '#tests/support/auctions/sale.ts'
import { isAccepted } from '#tests/simulation/answers.ts'
import { chooseWish, isEnd, type Wish } from '#tests/simulation/choose.ts'
import type { Coverage } from '#tests/simulation/coverage.ts'
import { placeBids, type Deal, type Standing } from '#tests/simulation/deal.ts'
import { decideDispute, dispute, payAs, payLate } from '#tests/simulation/money.ts'
import { verify } from '#tests/simulation/people.ts'
import type { World } from '#tests/simulation/world.ts'

// One turn of a deal: somebody does something that is offered to them, the world moves on, or nobody does anything.

export type Turn = { world: World; deal: Deal; standing: Standing; coverage: Coverage; isClosing: boolean }
/** With the listing as each person has seen it in this turn: who has several wishes looks once. */
type Play = Turn & { seen: Map<string, Listing> }

// of wishes that nobody offers, before the deal's turn is over
const TRIES = 3

/** Answers the deal that a relisting has made. */
export async function takeTurn(turn: Turn): Promise<Deal | undefined> {
  const { deal, standing, coverage, isClosing } = turn
  if (standing.status === deal.sleepsIn || (isClosing && isEnd(standing.status))) return undefined
  deal.sleepsIn = null
  await prepare(turn)
  const play: Play = { ...turn, seen: new Map() }
  for (let tries = 0; tries < TRIES; tries++) {
    const { theme, goal, random } = deal
    const wish = chooseWish({ status: standing.status, taken: standing.taken, theme, goal, tries, coverage, random, isClosing })
    if (wish === 'wait') return undefined
    const outcome = wish && (await grant(play, wish))
    if (outcome !== 'not offered') return outcome
  }
  return undefined
}

type Outcome = Deal | 'not offered' | undefined

async function grant(turn: Play, wish: Wish): Promise<Outcome> {
  const { world, deal, standing } = turn
  switch (wish.actor) {
    case 'seller':
      return act(turn, deal.seller, wish)
    case 'buyer':
      if (wish.name === 'pay' && standing.buyer_id) await payAs(world, deal, standing.buyer_id, 'begin')
      else if (standing.buyer_id) return act(turn, { id: standing.buyer_id }, wish)
      return undefined
    case 'admin':
      return act(turn, world.admin, wish)
    case 'provider':
      return hearProvider(turn, wish.name)
    case 'vat_check':
      return registerVat(world, deal)
    case 'time':
      deal.sleepsIn = wish.name === 'become_overdue' ? null : standing.status
      return undefined
  }
}

/** What a theme needs beside the steps. */
async function prepare({ world, deal, standing, isClosing }: Turn): Promise<void> {
  const { theme } = deal
  if (standing.status === 'Active' && standing.bid_count === 0 && deal.bidders.length > 0) await placeBids(world, deal)
  if (theme === 'suspended' && standing.status === 'Active' && !isClosing) await suspend(world, deal, true)
  if (theme === 'suspended' && standing.status !== 'Active') await suspend(world, deal, false)
  if (standing.status === 'MissedPayment' && deal.random.between(1, 6) === 1) await payLate(world, deal)
  // photos of a removed listing are looked at again when it is restored
  if (theme === 'media')
    await markMedia(world, deal, standing.status === 'RemovedByAdmin' ? deal.random.oneOf(['rejected', 'uploaded']) : 'ready')
}

const suspend = ({ yard }: World, { bidders }: Deal, isSuspended: boolean) =>
  Promise.all(bidders.map(({ id }) => setUser(yard, id, { suspended_at: isSuspended ? new Date() : null })))

const markMedia = ({ yard }: World, { id }: Deal, state: string) =>
  yard.owner.query(
    `update storage_objects set state = $2, rejection = case when $2 = 'rejected' then 'Looked at again' end
     where id in (select storage_object_id from listing_media where listing_id = $1) and state <> $2
       and exists (select from listings where id = $1 and status not in ('Processing'))`,
    [id, state],
  )

async function registerVat({ yard, registered }: World, { seller }: Deal): Promise<undefined> {
  const { rows } = await yard.owner.query<{ vat_number: string | null }>('select vat_number from users where id = $1', [seller.id])
  if (rows[0]?.vat_number) registered.add(rows[0].vat_number)
}

async function hearProvider(turn: Turn, name: string): Promise<Outcome> {
  const { world, deal, standing } = turn
  const { buyer_id } = standing
  if (name === 'kyc_verified') await verify(world, [deal.seller.id, ...(buyer_id ? [buyer_id] : [])])
  else if (name === 'paid' && buyer_id) await payAs(world, deal, buyer_id, 'full')
  else if (name === 'paid_short' && buyer_id) await payAs(world, deal, buyer_id, 'part')
  else if (name === 'dispute_opened') return (await dispute(world, standing)) ? undefined : 'not offered'
  else if (name === 'dispute_won') return (await decideDispute(world, standing, 'won')) ? undefined : 'not offered'
  else if (name === 'dispute_lost') return (await decideDispute(world, standing, 'lost')) ? undefined : 'not offered'
  return undefined
}

/** Does what was wished for if it is offered; now and then twice at once. */
async function act({ world, deal, isClosing, seen }: Play, who: Pick<Merchant, 'id'>, wish: Wish): Promise<Outcome> {
  const { random } = deal
  const client = await world.clientFor(who)
  const answer = seen.has(who.id) ? undefined : await client.get(`/api/v1/listings/${deal.id}`)
  if (answer && isAccepted(world, 'see the listing', answer)) seen.set(who.id, answer.body.data)
  const listing = seen.get(who.id)
  if (!listing) return undefined
  const offered = listing.available_actions.find(({ action }) => action === wish.name)
  if (!offered) return 'not offered'
  const body = await fillForm({
    client,
    fields: offered.fields,
    listing,
    random,
    code: await handoverCode(world, deal),
    given: chosenFields(listing, wish, isClosing),
  })
  const ask = () => client.post(`/api/v1/listings/${deal.id}/actions/${wish.name}`, body)
  const isTwice = random.between(1, 15) === 1
  const answers = isTwice ? await Promise.all([ask(), ask()]) : [await ask()]
  const what = `${wish.name} by the ${wish.actor} in ${listing.status.name} ${JSON.stringify(body).replaceAll(/[\w-]{36}/g, '…')}`
  const [done] = answers.filter((each) => isAccepted(world, what, each))
  const shown = done?.body.data.id
  if (shown === undefined || shown === deal.id) return undefined
  return { ...deal, id: shown, theme: 'no_bid', goal: null, sleepsIn: null, bidders: random.oneOf([[], deal.bidders]), afterlife: 0 }
}

function chosenFields(listing: Listing, { name }: Wish, isClosing: boolean): Record<string, unknown> {
  if (name === 'lower_reservation_price') return { reservation_price: listing.start_price.value }
  if (name === 'resolve' && isClosing) return { resolution: 'expire' }
  return {}
}

async function handoverCode({ yard }: World, { id }: Deal): Promise<string | null> {
  const { rows } = await yard.owner.query<{ handover_code: string | null }>(
    `select x.handover_code from exchanges x join awards a on a.id = x.award_id where a.listing_id = $1 and a.status = 'paid'`,
    [id],
  )
  return rows[0]?.handover_code ?? null
}
