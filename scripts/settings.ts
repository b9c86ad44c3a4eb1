import { migrate } from '#database/migrate.ts'
import { audit, onConfiguredDatabase } from '#scripts/configured-database.ts'
import { openDatabase } from '#server/db/db.ts'
import { listSettings, resetSetting, writeSetting, type ListedSetting } from '#server/features/settings/settings.ts'

// npm run settings                             what is in force
// npm run settings -- payment_window 5bd       set one: JSON or bare text
// npm run settings -- payment_window --default back to the default

const [key, ...words] = process.argv.slice(2)
const given = words.join(' ')

await onConfiguredDatabase(async (url, config) => {
  await migrate(url)
  const db = openDatabase(url, 1)
  try {
    if (key && given === '--default') await resetSetting(db, { key, audit })
    else if (key && given) await writeSetting(db, { key, value: jsonOrText(given), audit })
    const listed = (await listSettings(db, config.settings)).filter((setting) => !key || setting.key === key)
    if (listed.length === 0) throw new Error(`There is no setting '${key}'`)
    for (const setting of listed) console.log(lineOf(setting))
  } finally {
    await db.destroy()
  }
})

function lineOf({ key, value, default: standard, from, problem }: ListedSetting): string {
  const aside = [from !== 'default' && `default ${asTyped(standard)}`, problem !== null && `wrong: ${problem}`].filter(Boolean)
  return `${key.padEnd(26)} ${from.padEnd(8)} ${asTyped(value)}${aside.length > 0 ? `   (${aside.join('; ')})` : ''}`
}

// as it would be given on the command line
function asTyped(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
