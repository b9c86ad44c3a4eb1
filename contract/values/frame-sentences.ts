/** Those of contract/sentences.ts that every page may say: the first page loads these and no others. */
export const frameSentences = {
  errorTitle: 'Error',
  updateTitle: 'Attention',
  updateBody: 'A new version of the web app is available, click on the reload button to update.',
} as const
