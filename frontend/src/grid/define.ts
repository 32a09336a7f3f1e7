/** Registers `<si-review-grid>`; importing the class alone has no side effect. */

import {ReviewGrid} from './review_grid.js'

if (!customElements.get('si-review-grid')) customElements.define('si-review-grid', ReviewGrid)

export {ReviewGrid}
