// Of SPEC §8, what every page may have to say: apart from the other sentences, so that the first page loads these alone.

export const frameSentences = {
  errorTitle: 'Error',
  updateTitle: 'Attention',
  updateBody: 'A new version of the web app is available, click on the reload button to update.',
} as const
