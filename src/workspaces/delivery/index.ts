export { targetOf, urlIssues } from './address.ts';
export { DeliveryLoop, type Due, type Ending, type Without } from './delivery-loop.ts';
export { pauseAfter } from './pause.ts';
export { type DeliveryResponse, LONGEST_DELIVERY, Sender, type SenderOptions, type Sent } from './sender.ts';
