/** Wait until the engine has asked a receiver what it knows of the rows. */

import {EngineProblem} from '../api/problem.js'
import {pause} from '../api/transport.js'

const EVERY_MS = 1000
const MOST = 300 // calls: for five minutes

/** Make a call, and make it again while the engine refuses it until it knows what a receiver has: nothing was done. */
export async function whenKnown<T>(call: () => Promise<T>): Promise<T> {
  for (let left = MOST;; left--) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof EngineProblem) || error.code !== 'looking_up' || !left) throw error
      await pause(EVERY_MS)
    }
  }
}
