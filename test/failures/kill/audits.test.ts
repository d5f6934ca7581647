import { ANALYZER_POINTS, APPEND_POINTS, CHECKPOINT_POINTS, OUTBOX_POINT, SINK_POINTS } from './points.ts';
import { describeKills } from './rounds.ts';

/** Nothing happens between the end of one step and the start of the next: one kill covers both. */
const [firstOfSink, ...sinkPoints] = SINK_POINTS;
const sinkSteps = [firstOfSink, ...sinkPoints.filter((point) => point.includes('.after-'))];
/** Kills at the n-th pass, so that it hits a busy service and not always its first batch. */
const streams = [...sinkSteps, ...ANALYZER_POINTS].map((point, index) => `${point}:${1 + ((index * 7) % 5)}`);
/** Passed once per replay, signal or erased customer. */
const requests = [...APPEND_POINTS, OUTBOX_POINT].map((point, index) => `${point}:${1 + index}`);
/** Checkpoints are made automatically for every ledger that grew; a contradicting one would be an error in the log. */
const checkpoints = CHECKPOINT_POINTS.map((point, index) => `${point}:${1 + index}`);

describeKills({ loaded: [...streams, ...requests, ...checkpoints], random: 2 });
