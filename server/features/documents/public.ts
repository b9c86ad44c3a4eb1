// What other features may use of documents.
export { eraseDocuments } from '#server/features/documents/actions.ts'
export { showDocuments } from '#server/features/documents/present.ts'
