/** `npm start`: makes the programs when the sources have changed, and becomes the one that starts all others. */
import { findProgram } from './programs.mjs'

await import(await findProgram('start'))
