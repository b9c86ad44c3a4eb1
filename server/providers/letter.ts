import type { Mail } from '#server/providers/mail.ts'

type Reader = { email: string; first_name: string }

export type Letter = {
  says: string[]
  /** What a digest collects, each with its own link. */
  items?: { title: string; text: string; url: string }[]
  after?: string
  action: { label: string; url: string }
  /** Why the reader gets it, or what else there is to know. */
  ends: string
  settingsUrl?: string
  /** One click, or the mail program's own button, ends emails of this kind (RFC 8058). */
  unsubscribeUrl?: string
}

/** One email, as text and as HTML that says the same. */
export function letter(reader: Reader, subject: string, content: Letter): Mail {
  const { unsubscribeUrl } = content
  return {
    to: reader.email,
    subject: `${oneLine(subject)} · Yardbid`,
    text: textOf(reader, content),
    html: htmlOf(reader, subject, content),
    ...(unsubscribeUrl && {
      headers: { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    }),
  }
}

// a title may hold what would begin another header
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

function textOf(reader: Reader, { says, items = [], after, action, ends, settingsUrl, unsubscribeUrl }: Letter): string {
  return [
    `Hello ${reader.first_name},`,
    ...says,
    ...items.map(({ title, text, url }) => `* ${title}\n  ${text}\n  ${url}`),
    ...(after ? [after] : []),
    `${action.label}: ${action.url}`,
    ends,
    ...(settingsUrl ? [`Notification settings: ${settingsUrl}`] : []),
    ...(unsubscribeUrl ? [`No more emails of this kind: ${unsubscribeUrl}`] : []),
    'Yardbid',
  ].join('\n\n')
}

// Mail programs know tables and inline styles best. Those that know media queries get the dark colours, the others the light ones.
const css = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#191715!important}.card{background:#24211e!important;border-color:#3a3632!important}
.ink,.ink h1,.ink p,.ink a.title{color:#f2efec!important}.soft,.soft a{color:#b5aea7!important}.brand{color:#e59a66!important}
.line{border-color:#3a3632!important}.button{background:#9e5322!important}}
@media (max-width:480px){.pad{padding:24px 20px!important}}`

const font = "font-family:Inter,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"

function htmlOf(reader: Reader, subject: string, { says, items = [], after, action, ends, settingsUrl, unsubscribeUrl }: Letter): string {
  const paragraph = (text: string) => `<p style="margin:0 0 16px;font-size:16px;line-height:24px;color:#24211e">${escapeHtml(text)}</p>`
  const item = ({ title, text, url }: NonNullable<Letter['items']>[number]) =>
    `<tr><td class="line" style="padding:12px 0;border-top:1px solid #e4dfda"><a class="title" href="${escapeHtml(url)}" style="font-size:16px;line-height:24px;font-weight:600;color:#24211e">${escapeHtml(title)}</a><p style="margin:4px 0 0;font-size:14px;line-height:20px;color:#24211e">${escapeHtml(text)}</p></td></tr>`
  const link = (url: string, label: string) => `<a href="${escapeHtml(url)}" style="color:#6b645d">${label}</a>`
  const ways = [
    ...(settingsUrl ? [link(settingsUrl, 'Notification settings')] : []),
    ...(unsubscribeUrl ? [link(unsubscribeUrl, 'No more emails of this kind')] : []),
  ]
  return `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${css}</style></head>
<body class="page" style="margin:0;padding:0;background:#f4f1ee;${font}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(says[0] ?? '')}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:#f4f1ee"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px">
<tr><td class="brand" style="padding:0 4px 16px;font-size:20px;line-height:24px;font-weight:700;letter-spacing:.02em;color:#8f4a1c">Yardbid</td></tr>
<tr><td class="card pad ink" style="padding:32px;background:#ffffff;border:1px solid #e4dfda;border-radius:6px;overflow-wrap:anywhere">
<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600;color:#24211e">${escapeHtml(subject)}</h1>
${[`Hello ${reader.first_name},`, ...says].map(paragraph).join('\n')}
${items.length > 0 ? `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px">${items.map(item).join('')}</table>` : ''}
${after ? paragraph(after) : ''}
<p style="margin:24px 0 16px"><a class="button" href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 20px;font-size:16px;line-height:20px;font-weight:600;background:#8f4a1c;color:#ffffff;text-decoration:none;border-radius:6px">${escapeHtml(action.label)}</a></p>
<p class="soft" style="margin:0;font-size:14px;line-height:20px;color:#6b645d">Or open this address: ${escapeHtml(action.url)}</p>
</td></tr>
<tr><td class="soft" style="padding:16px 4px;font-size:14px;line-height:20px;color:#6b645d"><p style="margin:0 0 8px">${escapeHtml(ends)}</p>${ways.length > 0 ? `<p style="margin:0 0 8px">${ways.join(' · ')}</p>` : ''}<p style="margin:0">Yardbid: scrap metal and goods in timed auctions</p></td></tr>
</table>
</td></tr></table>
</body></html>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
