import { lastDayInWords } from '#domain/licence.ts'
import type { DocumentToReview } from '#web/features/back-office/documents/queries.ts'

type Row = { name: string; here: string | null; said: string | null }

/** What its owner said of the document, beside what they said in onboarding: the two should agree. */
export function Comparison({ document }: { document: DocumentToReview }) {
  const rows = rowsOf(document)
  return (
    <table className="w-full">
      <caption className="pb-3 text-left text-16 font-strong">What its owner said</caption>
      <thead>
        <tr className="border-y border-line text-left text-muted">
          <th scope="col">
            <span className="sr-only">Field</span>
          </th>
          <th scope="col" className="py-2 pr-3">
            With the file
          </th>
          <th scope="col" className="py-2">
            In onboarding
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, here, said }) => (
          <tr key={name} className="border-b border-line align-top">
            <th scope="row" className="py-3 pr-3 text-left font-normal text-muted">
              {name}
            </th>
            <td className="py-3 pr-3 wrap-anywhere">{here ?? '–'}</td>
            <td className="py-3 wrap-anywhere">
              {said ?? '–'}
              {here && said && !isSame(here, said) && <span className="block font-strong text-warning">Differs</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function rowsOf({ kind, number, council, expires_at, said }: DocumentToReview): Row[] {
  const isLicence = kind === 'scrap_dealer_licence'
  const saidNumber = isLicence ? said.licence_number : kind === 'waste_carrier' ? said.waste_carrier_number : null
  return [
    { name: 'Number', here: number, said: saidNumber },
    { name: 'Issued by', here: council, said: isLicence ? said.licence_council : null },
    { name: 'Valid until', here: dayOf(expires_at), said: isLicence ? dayOf(said.licence_expires_at) : null },
  ]
}

const dayOf = (at: string | null) => at && lastDayInWords(new Date(at))

/** Spaces and letter case are no difference. */
const isSame = (one: string, other: string) => plain(one) === plain(other)
const plain = (text: string) => text.replaceAll(/\s+/g, '').toLowerCase()
