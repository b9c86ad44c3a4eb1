import type { Config } from '#server/config.ts'
import type { Db } from '#server/db.ts'
import type { ReadSetting } from '#server/features/settings/actions.ts'
import type { Cookies } from '#server/http/cookies.ts'
import type { AddressBook } from '#server/providers/addresses.ts'

/** What the features act with. */
export type Deps = {
  config: Pick<Config, 'publicUrl' | 'privacyUrl' | 'termsUrl' | 'sandbox'>
  db: Db
  readSetting: ReadSetting
  cookies: Cookies
  addresses: AddressBook
  appVersion: string
}
