import { ANALYZER_POINTS, APPEND_POINTS, CHECKPOINT_POINTS, OUTBOX_POINT, SINK_POINTS } from './points.ts';
import { describeKills } from './rounds.ts';

/** Nothing happens between the end of a step and the beginning of the next one: one kill stands for both. */
const [firstOfSink, ...sinkPoints] = SINK_POINTS;
const sinkSteps = [firstOfSink, ...sinkPoints.filter((point) => point.includes('.after-'))];
/** The n-th pass, so that a kill hits a running service and not always its first batch. */
const streams = [...sinkSteps, ...ANALYZER_POINTS].map((point, index) => `${point}:${1 + ((index * 7) % 5)}`);
/** Passed once per replay, signal or customer who leaves. */
const requests = [...APPEND_POINTS, OUTBOX_POINT].map((point, index) => `${point}:${1 + index}`);
/** Checkpoints are made of whatever grew, without being asked for; one that did not fit would be an error in the log. */
const checkpoints = CHECKPOINT_POINTS.map((point, index) => `${point}:${1 + index}`);

describeKills({ loaded: [...streams, ...requests, ...checkpoints], random: 2 });
