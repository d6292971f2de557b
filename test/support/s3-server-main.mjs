/** An S3 server as a process: `node s3-server-main.mjs FOLDER BUCKET`. Prints its port. */
import S3rver from '@20minutes/s3rver'

const [directory, bucket] = process.argv.slice(2)
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  directory,
  silent: true,
  configureBuckets: [{ name: bucket }],
})
const { port } = await server.run()
process.stdout.write(`${port}\n`)
