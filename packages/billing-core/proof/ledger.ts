/** Random operations on the ledger against the naive one; a fresh pair every so often, of varying length. */
import { LedgerPair, type Operation, randomOperation } from './ledger-model.js'
import { ProofFailure, Random } from './random.js'

/** Returns how many operations ran; throws with the whole history of the first that differs. */
export function proveLedger(operations: number, seed: number): number {
  const random = new Random(seed)
  let done = 0
  while (done < operations) {
    const pair = new LedgerPair()
    const history: Operation[] = []
    const length = Math.min(operations - done, random.whole(10, 90))
    for (let index = 0; index < length; index++) {
      const operation = randomOperation(random)
      history.push(operation)
      try {
        pair.run(operation)
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        throw new ProofFailure(`seed ${seed}: ${message}\nhistory: ${JSON.stringify(history)}`)
      }
    }
    done += length
  }
  return done
}
