/**
 * How often to try what chance chooses. `npm test` tries as often as finds most mistakes in seconds; with
 * `TEST_RUNS_FACTOR=10` the same tests try ten times as often.
 */
export const runs = (count: number): number => count * factor

const factor = Number(process.env['TEST_RUNS_FACTOR'] ?? 1)
