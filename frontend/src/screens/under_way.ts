/** What is shown while the engine works, and where it cannot go on: one script. */

export {FailedScreen} from './failed.js'
export {WorkingScreen} from './working.js'
