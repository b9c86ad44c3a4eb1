import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter'
import { describeFailure, startProgress, type Entry, type Progress } from '#scripts/test-progress.ts'

const GROUP = 'browser'

/** What `npm test` tells of the browser tests: the same lines as of the others. */
export default class BrowserReporter implements Reporter {
  #root = ''
  #progress: Progress = startProgress(GROUP, 0)
  /** How many tests of a file are still to end, at all widths. */
  #left = new Map<string, number>()
  #entries = new Map<string, Entry>()

  onBegin({ rootDir }: FullConfig, suite: Suite): void {
    this.#root = rootDir
    for (const test of suite.allTests()) {
      const file = this.#fileOf(test)
      this.#left.set(file, (this.#left.get(file) ?? 0) + 1)
    }
    this.#progress = startProgress(GROUP, this.#left.size)
  }

  onTestBegin(test: TestCase): void {
    this.#entryOf(test)
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const entry = this.#entryOf(test)
    if (result.status === 'passed') entry.pass()
    else if (result.status !== 'skipped') entry.fail(titleOf(test), reasonOf(result))
    const file = this.#fileOf(test)
    const left = (this.#left.get(file) ?? 0) - 1
    this.#left.set(file, left)
    if (left === 0) entry.end()
  }

  /** What is no test's fault: a server that did not start, a file that cannot be read. */
  onError(error: TestError): void {
    console.log(describeFailure({ group: GROUP, name: 'playwright', title: 'failed', reason: messageOf(error) }))
  }

  printsToStdio(): boolean {
    return true
  }

  #fileOf({ location }: TestCase): string {
    return relative(this.#root, location.file)
  }

  #entryOf(test: TestCase): Entry {
    const file = this.#fileOf(test)
    const entry = this.#entries.get(file) ?? this.#progress.begin(file)
    this.#entries.set(file, entry)
    return entry
  }
}

/** The first parts of the path are the root, the project and the file. */
function titleOf(test: TestCase): string {
  const [, project, , ...titles] = test.titlePath()
  return `${titles.join(' > ')} (${project})`
}

const reasonOf = ({ status, errors, attachments }: TestResult): string =>
  [
    ...(errors.length > 0 ? errors.map(messageOf) : [status]),
    ...attachments.flatMap(({ name, path }) => (path ? [`${name}: ${path}`] : [])),
  ].join('\n')

const messageOf = ({ message, stack, value, snippet }: TestError): string =>
  stripVTControlCharacters([stack ?? message ?? value ?? 'No reason was given.', ...(snippet ? [snippet] : [])].join('\n'))
