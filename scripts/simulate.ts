import { simulate } from '#tests/simulation/simulate.ts'

// npm run simulate [deals] [seed]

const [deals = '200', seed = '20261115'] = process.argv.slice(2)
console.log(`${deals} deals with seed ${seed}`)
const result = await simulate({ deals: Number(deals), seed: Number(seed), report: console.log })
console.log(result.table)
for (const row of result.missed) console.log(row)
for (const [why, count] of result.refusals) console.log(`refused ${count} times: ${why}`)
for (const [why, count] of result.errors) console.log(`logged ${count} times: ${why}`)
for (const history of result.histories) console.log(history)
for (const fault of result.faults) console.log(`✗ ${fault}`)
console.log(
  `${result.deals} deals in ${result.seconds.toFixed(1)} s: ${(result.deals / result.seconds).toFixed(2)} deals/s, ${result.faults.length} faults`,
)
process.exitCode = result.faults.length === 0 ? 0 : 1
