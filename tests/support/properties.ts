import fc from 'fast-check'

// The same commit gives the same verdict: what is generated comes from one seed. TEST_SEED=… tries others, and a failure says
// which seed and which path lead to it.

fc.configureGlobal({ seed: Number(process.env['TEST_SEED'] ?? 20_261_115) })

export default fc
