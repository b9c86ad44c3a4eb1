import { branchesOf } from '#domain/sales/listing-machine.ts'
import type { Actor } from '#domain/sales/listing-machine-step.ts'
import { finalStatuses, steps } from '#domain/sales/listing-machine-table.ts'

const initials: Record<Actor, string> = { seller: 'S', buyer: 'B', admin: 'A', time: 'T', provider: 'P', vat_check: 'X' }

/** The table of RULES §4 as a Mermaid state diagram; what an admin or a chargeback can do from everywhere is left out. */
export function lifeDiagram(): string {
  const arrows = new Map<string, Set<string>>()
  for (const step of steps) {
    if (['raise_issue', 'release', 'dispute_opened', 'dispute_won', 'dispute_lost'].includes(step.name)) continue
    for (const from of step.from) {
      for (const { to } of branchesOf(step)) {
        const arrow = `${from ?? '[*]'} --> ${to === 'unchanged' ? from : to}`
        const by = step.by.map((actor) => initials[actor]).join(' ')
        arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(`${step.name} (${by})`))
      }
    }
  }
  const lines = [...arrows].map(([arrow, names]) => `  ${arrow}: ${[...names].join(', ')}`)
  return ['stateDiagram-v2', ...lines, ...finalStatuses.map((status) => `  ${status} --> [*]`)].join('\n')
}
