/** A receiver as its owner calls it; where it has no name, one of several has a number. */

import type {Say} from '../messages/catalogue.js'

export function receiverName(receivers: readonly {webhookId: string; label: string}[], webhookId: string, say: Say): string {
  const at = receivers.findIndex(receiver => receiver.webhookId === webhookId)
  return receivers[at]?.label || (at >= 0 && receivers.length > 1 ? say('receiver_n', {n: at + 1}) : say('delivery'))
}
