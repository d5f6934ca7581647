/** `#jest` of a test that jest's standard runtime loads from its source. */
export * from '@jest/globals';
