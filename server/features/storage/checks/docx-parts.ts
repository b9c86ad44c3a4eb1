import { crc32, inflateRawSync } from 'node:zlib'
import { readXml } from '#server/features/storage/checks/docx-xml.ts'
import { Unacceptable } from '#server/features/storage/checks/unacceptable.ts'

/** A file in the zip, still packed. */
export type DocxPart = { name: string; content: Buffer; method: number; unpacked: number; crc: number }

export const damaged = () => new Unacceptable('This Word document is damaged. Save it again and try once more.')
export const active = () =>
  new Unacceptable('This Word document has macros or embedded programs. Save it without them, or as a PDF, and try again.')
export const holding = () => new Unacceptable('This Word document has other files inside. Save it as a PDF and try again.')
const external = () => new Unacceptable('This Word document fetches something from elsewhere. Save it as a PDF and try again.')

const MOST_XML_BYTES = 30 * 1024 * 1024

/** Refuses a part of a document that runs something, brings another file along or fetches one. Links that are clicked may stay. */
export function checkPart(part: DocxPart): void {
  const name = part.name.toLowerCase()
  if (!/\.(?:xml|rels)$/.test(name)) return
  const checks = name.endsWith('.rels') ? relationships() : name === '[content_types].xml' ? contentTypes() : fields()
  if (!readXml(unpack(part), checks)) throw damaged()
}

function unpack({ content, method, unpacked, crc }: DocxPart): Buffer {
  if (unpacked > MOST_XML_BYTES) throw damaged()
  let bytes = content
  try {
    if (method === 8) bytes = inflateRawSync(content, { maxOutputLength: Math.max(1, unpacked) })
  } catch {
    throw damaged()
  }
  if ((method !== 8 && method !== 0) || bytes.length !== unpacked || crc32(bytes) !== crc) throw damaged()
  return bytes
}

const noText = () => undefined

const bringsFiles = /\/(?:aFChunk|subDocument|package|oleObject|frame)$/i
const runs = /\/(?:control|activeXControlBinary|vbaProject|wordVbaData|keyMapCustomizations|attachedToolbars)$/i

/** What a part says that it belongs to or takes from elsewhere. */
const relationships = () => ({
  tag(name: string, attributes: ReadonlyMap<string, string>) {
    if (name !== 'Relationship') return
    const type = attributes.get('Type') ?? ''
    if (runs.test(type)) throw active()
    if (bringsFiles.test(type)) throw holding()
    if (attributes.get('TargetMode')?.toLowerCase() !== 'external') return
    const isLink = /\/hyperlink$/i.test(type) && /^(?:https?|mailto):/i.test(attributes.get('Target') ?? '')
    if (!isLink) throw external()
  },
  text: noText,
})

const contentTypes = () => ({
  tag(_name: string, attributes: ReadonlyMap<string, string>) {
    if (/macroEnabled|vbaProject|vbaData|activeX|oleObject/i.test(attributes.get('ContentType') ?? '')) throw active()
  },
  text: noText,
})

// the fields that start a program or read a file when the document is opened or printed
const fetchingField = /^\s*(?:DDE|DDEAUTO|LINK|EMBED|INCLUDE|INCLUDETEXT|INCLUDEPICTURE|IMPORT|DATABASE|MACROBUTTON)\b/i

/** A field's instruction is the text of several elements, which Word may cut anywhere. */
function fields() {
  const open: string[] = []
  let isInstruction = false
  const check = (instruction: string) => {
    if (fetchingField.test(instruction)) throw external()
  }
  return {
    tag(name: string, attributes: ReadonlyMap<string, string>) {
      isInstruction = name === 'instrText' || name === 'delInstrText'
      if (name === 'fldSimple') check(attributes.get('instr') ?? '')
      if (name !== 'fldChar') return
      if (attributes.get('fldCharType') === 'begin') open.push('')
      if (attributes.get('fldCharType') === 'end') open.pop()
    },
    text(text: string) {
      if (!isInstruction) return
      // one without a beginning counts as one that has begun
      const instruction = (open.pop() ?? '') + text
      open.push(instruction)
      check(instruction)
      isInstruction = false
    },
  }
}
