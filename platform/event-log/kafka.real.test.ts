import { describeOn } from '../../test/helpers/real-parts.ts';
import { describeEventLogContract } from './contract.ts';
import { beginOnKafka } from './kafka-harness.contract.ts';

describeOn('kafka', 'a real broker', (address) => {
  describeEventLogContract('kafka', () => beginOnKafka({ brokers: address.split(',') }, 1));
});
