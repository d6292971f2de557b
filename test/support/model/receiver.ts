import { startFakeReceiver } from '../fake-receiver.ts'
import type { FakeReceiver, ReceivedEvent, Treatment } from '../fake-receiver.ts'

/** How a receiver treats what comes from now on. */
export const receiverMoods = ['takes', 'refuses', 'hangs', 'dies', 'dies after taking', 'babbles'] as const
export type ReceiverMood = (typeof receiverMoods)[number]

/** A receiver of webhooks with moods, which knows what it has got and what of it it has taken. */
export interface ModelReceiver {
  url: string
  /** All calls, in order. */
  received: () => ReceivedEvent[]
  /** Ids of the events that it has said it took. */
  taken: ReadonlySet<string>
  turn(mood: ReceiverMood): void
  /** Breaks off the calls that hang. */
  letGo(): void
  stop(): Promise<void>
}

export async function startModelReceiver(): Promise<ModelReceiver> {
  const receiver: FakeReceiver = await startFakeReceiver()
  const taken = new Set<string>()
  const hanging: (() => void)[] = []
  let mood: ReceiverMood = 'takes'
  receiver.treat(({ event }): Treatment | Promise<Treatment> => {
    switch (mood) {
      case 'takes':
        taken.add(event.id)
        return 204
      case 'refuses':
        return 500
      case 'dies':
        return 'die before answering'
      case 'dies after taking':
        return 'die in the answer'
      case 'babbles':
        return 'garbage'
      case 'hangs':
        return new Promise((resolve) =>
          hanging.push(() => {
            resolve('die before answering')
          }),
        )
    }
  })
  const letGo = () => {
    for (const release of hanging.splice(0)) release()
  }
  return {
    url: receiver.url,
    received: () => receiver.received.map(({ event }) => event),
    taken,
    turn: (next) => {
      mood = next
    },
    letGo,
    stop: async () => {
      letGo()
      await receiver.stop()
    },
  }
}
