import { leaveTraces } from './leave-traces.ts';

leaveTraces();
