import type { Mail } from '#server/providers/mail.ts'

type Reader = { email: string; first_name: string }
type Content = { says: string[]; action: { label: string; url: string }; ends: string }

/** One e-mail, as text and as HTML that says the same. */
export function letter(reader: Reader, subject: string, { says, action, ends }: Content): Mail {
  const greeting = `Hello ${reader.first_name},`
  const text = [greeting, ...says, `${action.label}: ${action.url}`, ends, 'Yardbid'].join('\n\n')
  const html = `<!doctype html><html lang="en-GB"><body style="font-family:Arial,sans-serif;font-size:16px;line-height:1.5;color:#24211e">
<h1 style="font-size:20px">${escapeHtml(subject)}</h1>
${[greeting, ...says].map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
<p><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 20px;background:#8f4a1c;color:#ffffff;text-decoration:none;border-radius:6px">${escapeHtml(action.label)}</a></p>
<p>Or open this address: ${escapeHtml(action.url)}</p>
<p>${escapeHtml(ends)}</p>
<p>Yardbid</p>
</body></html>`
  return { to: reader.email, subject: `${subject} · Yardbid`, text, html }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
