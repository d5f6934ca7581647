/** `#jest` for tests that jest's standard runtime loads from source. */
export * from '@jest/globals';
