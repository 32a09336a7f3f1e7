"""The shared cache of the tests that run on Redis."""

from django.core.cache.backends.redis import RedisCache


class WorkersCache(RedisCache):
    """A cache whose ``clear`` deletes the keys of its own prefix, not those of other workers."""

    def clear(self) -> bool:
        """Delete every key of this prefix."""
        redis = self._cache.get_client(write=True)
        if keys := list(redis.scan_iter(match=self.make_key("*"))):
            redis.delete(*keys)
        return True
