export type Outcome = { passed: number; failed: number }

/** What a group of tests tells while it runs: a line for each file that ended, and each failure as it happens. */
export type Progress = {
  begin: (name: string) => Entry
  outcome: () => Outcome
}

export type Entry = {
  pass: () => void
  fail: (title: string, reason: string) => void
  end: () => void
}

// the browser tests tell of themselves in a process of their own
const began = Number((process.env['TESTS_BEGAN_AT'] ??= String(Date.now())))

/** `say` prints lines; `count` is how many files there are. */
export function startProgress(group: string, count: number, say: (text: string) => void = console.log): Progress {
  const all: Outcome = { passed: 0, failed: 0 }
  let ended = 0
  const begin = (name: string): Entry => {
    const own: Outcome = { passed: 0, failed: 0 }
    const from = performance.now()
    return {
      pass: () => own.passed++,
      fail(title, reason) {
        own.failed++
        say(describeFailure({ group, name, title, reason }))
      },
      end() {
        ended++
        all.passed += own.passed
        all.failed += own.failed
        // with part of a title most files have nothing to tell
        if (own.passed + own.failed === 0) return
        say(`${group} ${ended}/${count} ${name} ${countsOf(own)} ${secondsSince(from)} (elapsed ${elapsed()})`)
      },
    }
  }
  return { begin, outcome: () => ({ ...all }) }
}

export const describeFailure = ({ group, name, title, reason }: { group: string; name: string; title: string; reason: string }): string =>
  `✗ ${group} ${name}: ${title}\n${reason.trim().replaceAll(/^/gm, '    ')}`

export const countsOf = ({ passed, failed }: Outcome): string => (failed > 0 ? `${passed} passed, ${failed} FAILED` : `${passed} passed`)

export const secondsSince = (from: number): string => `${((performance.now() - from) / 1_000).toFixed(1)} s`

/** Minutes and seconds since `npm test` began. */
export function elapsed(): string {
  const seconds = Math.floor((Date.now() - began) / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
