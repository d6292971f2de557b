/**
 * Loaded before a service that `npm start` runs: the channel to the parent breaks when the parent ends, even when it was
 * killed, and then the service stops as on SIGTERM, so that nothing goes on that nobody looks after.
 */
process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM')
})
// Listening alone must not keep the service from ending by itself.
process.channel?.unref()
