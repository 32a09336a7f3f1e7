"""Calls share their connections to Redis, whichever context they run in."""

from django.core.cache.backends.redis import RedisCache

ABOUT = {"OPTIONS": {"pool_class": "common.databases.redis.SharedPool", "socket_timeout": 0.5}}


def pool_of(url: str) -> object:
    """Return the pool of a new cache, as each call has one."""
    return RedisCache(url, ABOUT)._cache._get_connection_pool(write=True)


def test_the_cache_of_each_call_uses_one_pool():
    assert pool_of("redis://127.0.0.1:6379/15") is pool_of("redis://127.0.0.1:6379/15")


def test_another_server_has_a_pool_of_its_own():
    assert pool_of("redis://127.0.0.1:6379/15") is not pool_of("redis://127.0.0.1:6379/14")
