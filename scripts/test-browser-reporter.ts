import { relative } from 'node:path'
import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter'
import { describeFailure, startProgress, type Progress } from '#scripts/test-progress.ts'

/** What `npm test` tells of the browser tests: the same lines as of the others. */
export default class BrowserReporter implements Reporter {
  #progress: Progress = startProgress('browser', 0)
  #entries = new Map<string, { entry: ReturnType<Progress['begin']>; left: number }>()
  #root = ''

  onBegin(config: FullConfig, suite: Suite): void {
    this.#root = config.rootDir
    const tests = suite.allTests()
    for (const test of tests) {
      const file = this.#fileOf(test)
      const known = this.#entries.get(file)
      if (known) known.left++
      else this.#entries.set(file, { entry: undefined as never, left: 1 })
    }
    this.#progress = startProgress('browser', this.#entries.size)
  }

  onTestBegin(test: TestCase): void {
    const known = this.#entries.get(this.#fileOf(test))
    if (known) known.entry ??= this.#progress.begin(this.#fileOf(test))
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const known = this.#entries.get(this.#fileOf(test))
    if (!known) return
    known.entry ??= this.#progress.begin(this.#fileOf(test))
    if (result.status === 'passed') known.entry.pass()
    else if (result.status !== 'skipped') known.entry.fail(titleOf(test), reasonOf(result))
    if (--known.left === 0) known.entry.end()
  }

  /** What is no test's fault: a server that did not start, a file that cannot be read. */
  onError(error: TestError): void {
    console.log(describeFailure({ group: 'browser', name: 'playwright', title: 'failed', reason: messageOf(error) }))
  }

  printsToStdio(): boolean {
    return true
  }

  #fileOf(test: TestCase): string {
    return relative(this.#root, test.location.file)
  }
}

const titleOf = (test: TestCase): string => test.titlePath().slice(3).join(' > ')

const reasonOf = ({ status, errors, attachments }: TestResult): string =>
  [
    ...(errors.length > 0 ? errors.map(messageOf) : [status]),
    ...attachments.flatMap(({ name, path }) => (path ? [`${name}: ${path}`] : [])),
  ].join('\n')

const messageOf = ({ message, stack, value, snippet }: TestError): string =>
  [stack ?? message ?? value ?? 'No reason was given.', ...(snippet ? [snippet] : [])].join('\n')
