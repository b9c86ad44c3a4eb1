/** Where the server of the browser tests listens. Another port lets two copies of the code be tested at once on one machine. */
export const PORT = Number(process.env['BROWSER_TEST_PORT'] ?? 4310)
export const ORIGIN = `http://127.0.0.1:${PORT}`
export const DATA_DIR = '.cache/browser-data'
