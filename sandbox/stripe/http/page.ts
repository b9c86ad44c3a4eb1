import { escapeHtml } from '#server/providers/letter.ts'

/** A hosted page of the sandbox: one column, big enough for a thumb, light or dark as the reader's device. */
export function page(title: string, body: string, status = 200): Raw {
  return html(
    `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Payment sandbox</title>
<style>${STYLE}</style>
</head>
<body>
<header>Payment sandbox <small>Test mode: no real money moves</small></header>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>`,
    status,
  )
}

/** An answer that is no JSON: a page, a redirect, a PDF. */
export type Raw = { raw: { status: number; headers: Record<string, string>; body: string | Buffer } }

export const isRaw = (answer: object): answer is Raw => 'raw' in answer

const html = (body: string, status = 200): Raw => ({
  raw: { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body },
})

export const redirect = (location: string): Raw => ({ raw: { status: 303, headers: { location }, body: '' } })

const STYLE = `
:root { color-scheme: light dark; --ground: #f6f7f9; --card: #fff; --ink: #16202c; --soft: #566171; --line: #c9d0d9; --act: #4338ca; --on-act: #fff; --bad: #b42318 }
@media (prefers-color-scheme: dark) {
  :root { --ground: #10151c; --card: #1a212b; --ink: #eef1f5; --soft: #a9b3c0; --line: #3d4857; --act: #a5b4fc; --on-act: #10151c; --bad: #fda29b }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
header, main { max-width: 34rem; margin: 0 auto; padding: 1rem }
header { font-weight: 700; padding-inline: 1.25rem }
header small { display: block; font-weight: 400; color: var(--soft) }
main { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; margin-bottom: 2rem }
@media (max-width: 36rem) { main { border-radius: 0; border-inline: 0 } }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .25rem }
p { margin: .5rem 0 }
label { display: block; margin-top: .9rem; font-weight: 600 }
label small { display: block; font-weight: 400; color: var(--soft) }
input, select { width: 100%; min-height: 44px; margin-top: .25rem; padding: .5rem .75rem; font: inherit; font-weight: 400; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 8px }
select option { color: #16202c; background: #fff }
label.tick { display: flex; gap: .75rem; align-items: center; min-height: 44px; font-weight: 400 }
label.tick input { width: 24px; min-height: 24px; margin: 0; flex: none }
button { width: 100%; min-height: 48px; margin-top: .75rem; font: inherit; font-weight: 600; border-radius: 8px; border: 1px solid var(--act); background: var(--act); color: var(--on-act); cursor: pointer }
button.other { background: transparent; color: var(--ink); border-color: var(--line) }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px }
ul { padding-left: 1.2rem }
table { width: 100%; border-collapse: collapse }
th, td { text-align: left; padding: .5rem 0; border-bottom: 1px solid var(--line) }
th:last-child, td:last-child { text-align: right }
.big { font-size: 1.75rem; font-weight: 700; margin: 0 }
.soft { color: var(--soft) }
.bad { color: var(--bad) }`
