import { expect, test } from '#jest';
import { parseSockets, trafficBetween } from './traffic.ts';

const line = (peer: string, pid: number, counters: string): string =>
  `0      0      127.0.0.1:9092 ${peer} users:(("java",pid=${pid},fd=47)) bbr rto:204 mss:41984 ${counters} segs_out:28`;

const BEFORE = [
  line('127.0.0.1:1001', 7, 'bytes_sent:110 bytes_acked:100 bytes_received:10'),
  line('127.0.0.1:1002', 8, 'bytes_received:5'),
].join('\n');

test('reads process, addresses and acknowledged bytes, and leaves out sockets of unknown processes', () => {
  expect(parseSockets(`${BEFORE}\n0 0 127.0.0.1:9092 127.0.0.1:1003 bbr bytes_received:5`)).toEqual([
    { pid: 7, id: '7 127.0.0.1:9092 127.0.0.1:1001', receivedBytes: 10, sentBytes: 100 },
    { pid: 8, id: '8 127.0.0.1:9092 127.0.0.1:1002', receivedBytes: 5, sentBytes: 0 },
  ]);
});

test('counts a known socket from its first look, and a new one from its start', () => {
  const after = [
    line('127.0.0.1:1001', 7, 'bytes_acked:150 bytes_received:30'),
    line('[::1]:1004', 7, 'bytes_acked:1000 bytes_received:2000'),
  ].join('\n');
  const traffic = trafficBetween(parseSockets(BEFORE), parseSockets(after));
  expect([...traffic]).toEqual([[7, { receivedBytes: 2_020, sentBytes: 1_050 }]]);
});
