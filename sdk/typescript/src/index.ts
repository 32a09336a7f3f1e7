/** The client of an Import Engine, for servers. */

export {connect, EngineRefused, type Connection, type Engine, type Problem} from './client.js'
export {iterateResults, RESTING, waitForImport, type ImportRecord, type Row, type State, type Waiting} from './imports.js'
export type {components, operations, paths} from './schema.js'
export {NotVerified, verify, type DeliveryEvent, type HeadersLike, type Refusal} from './webhooks.js'
