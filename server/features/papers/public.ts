// What the steps of a sale and the presenters of listings use of papers.
export { creditInvoice, draftWasteNote, issuePaper, type PaperOrder } from '#server/features/papers/issue.ts'
export { papersOf } from '#server/features/papers/papers-of.ts'
export { completeRecords, writeRecords } from '#server/features/papers/records.ts'
