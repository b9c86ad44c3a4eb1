import type pg from 'pg'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/db.ts'
import type { Passwords } from '#server/features/account/passwords.ts'
import type { BidDecider } from '#server/features/bids/decider.ts'
import type { Provider } from '#server/features/payments/actions.ts'
import type { ReadSetting } from '#server/features/settings/actions.ts'
import type { Cookies } from '#server/http/cookies.ts'
import type { LiveHub } from '#server/live/hub.ts'
import type { AddressBook } from '#server/providers/addresses.ts'
import type { FileStore } from '#server/providers/files.ts'
import type { Payment } from '#server/providers/payment.ts'
import type { VatRegister } from '#server/providers/vat.ts'

/** What the features act with. */
export type Deps = {
  config: Pick<Config, 'publicUrl' | 'privacyUrl' | 'termsUrl' | 'sandbox'>
  db: Db
  /** For searches alone. */
  searchDb: Db
  readSetting: ReadSetting
  passwords: Passwords
  bids: BidDecider
  /** For what locks listings: connections that page views cannot use up. */
  auctionPool: pg.Pool
  live: LiveHub
  cookies: Cookies
  addresses: AddressBook
  files: FileStore
  vatRegister: VatRegister
  payment: Payment
  /** Creates and moves things at the payment provider. */
  provider: Provider
  appVersion: string
}
