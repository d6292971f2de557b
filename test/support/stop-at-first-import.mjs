/**
 * Loaded before a program, it sends the process SIGTERM when the first module is loaded that needs anything of Node: by then
 * the program must be watching for signals. The packages that it needs have not been loaded yet.
 */
import { register } from 'node:module'

register('./signal-at-first-import.mjs', import.meta.url)
