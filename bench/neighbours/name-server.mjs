/** Loaded before a program, it has all names looked up at BENCH_NAME_SERVER (`address:port`). */
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

const { Resolver } = dns

dns.Resolver = class extends Resolver {
  constructor(options) {
    super(options)
    this.setServers([process.env['BENCH_NAME_SERVER']])
  }
}
syncBuiltinESMExports()
