// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "./SharedPools.sol";

interface IPair {
    function getReserves() external view returns (uint112, uint112, uint32);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
    function mint(address to) external returns (uint256);
    function burn(address to) external returns (uint256, uint256);
}

interface IPool {
    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, uint8, bool);
    function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256, int256);
    function mint(address owner, int24 lower, int24 upper, uint128 liquidity, bytes calldata data)
        external
        returns (uint256, uint256);
}

/// Router of the demo market: swaps in pools of all kinds, and changes of liquidity. Amounts are shares of what the
/// caller holds, so traders can make valid trades without reading the chain first.
/// The bits of a venue from 160 on are its kind. The bits below are the pool's address, or for V4 the fields that
/// SharedPools.sol describes.
contract Router is SharedPools {
    uint256 private constant V2 = 0;
    uint256 private constant V3 = 1;
    uint256 private constant V4 = 2;

    /// Pool whose callback is expected. No other contract can make the router pay.
    address private awaited;

    struct Trade {
        /// Venues; `second` is 0 if there is only one. The first of two must not be a V4 pool of ether.
        uint256 first;
        uint256 second;
        address tokenIn;
        /// The token that the first of two venues pays out.
        address tokenBetween;
        address tokenOut;
        uint256 share;
        uint256 minOut;
    }

    /// Sells `share` millionths of the caller's `tokenIn`, or the ether sent along.
    function trade(Trade calldata order) external payable {
        address payer = msg.sender;
        uint256 amount = msg.value;
        if (amount > 0) {
            if (!_takesEther(order.first)) IWrapped(WRAPPED).deposit{value: amount}();
            payer = address(this);
        } else {
            amount = (IERC20(order.tokenIn).balanceOf(payer) * order.share) / SHARES;
        }
        require(amount > 0, "nothing to sell");
        uint256 out;
        if (order.second == 0) {
            out = _swap(order.first, order.tokenIn, order.tokenOut, amount, payer, msg.sender);
        } else {
            _swap(order.first, order.tokenIn, order.tokenBetween, amount, payer, address(this));
            amount = IERC20(order.tokenBetween).balanceOf(address(this));
            out = _swap(order.second, order.tokenBetween, order.tokenOut, amount, address(this), msg.sender);
        }
        require(out >= order.minOut, "slippage");
    }

    /// Trades a V3 pool to a price. Fails if the pool is already beyond it.
    function alignV3(address pool, address tokenIn, address tokenOut, uint160 target) external {
        awaited = pool;
        IPool(pool).swap(msg.sender, tokenIn < tokenOut, UNLIMITED, target, abi.encode(msg.sender, tokenIn, address(0)));
        awaited = address(0);
    }

    /// Trades a V2 pair to a price in the form of V3: sqrt(reserve1 / reserve0) * 2^96.
    function alignV2(address pair, address tokenIn, address tokenOut, uint160 target) external {
        (uint112 reserve0, uint112 reserve1, ) = IPair(pair).getReserves();
        uint256 root = _sqrt(uint256(reserve0) * reserve1);
        bool zeroForOne = tokenIn < tokenOut;
        uint256 wanted = zeroForOne ? (root << 96) / target : (root * target) >> 96;
        uint256 reserve = zeroForOne ? reserve0 : reserve1;
        require(wanted > reserve, "beyond");
        _swap(uint256(uint160(pair)), tokenIn, tokenOut, wanted - reserve, msg.sender, msg.sender);
    }

    function addV2(address pair, address token0, address token1, uint256 amount0, uint256 amount1) external {
        _pay(token0, msg.sender, pair, amount0);
        _pay(token1, msg.sender, pair, amount1);
        IPair(pair).mint(msg.sender);
    }

    function removeV2(address pair, uint256 share) external {
        uint256 liquidity = (IERC20(pair).balanceOf(msg.sender) * share) / SHARES;
        _pay(pair, msg.sender, pair, liquidity);
        IPair(pair).burn(msg.sender);
    }

    function addV3(
        address pool,
        address token0,
        address token1,
        int24 lower,
        int24 upper,
        uint128 liquidity
    ) external {
        awaited = pool;
        IPool(pool).mint(msg.sender, lower, upper, liquidity, abi.encode(msg.sender, token0, token1));
        awaited = address(0);
    }

    /// Returns what a market maker watches, in this order: for each venue, the reserves (V2: reserve0 << 112 |
    /// reserve1) or the price (V3: sqrtPriceX96); the price of each V4 pool, from the PoolManager's storage; the
    /// balance of every token in each weighted pool; and for each of `tokens`, the balance of the owner at the same
    /// position.
    function observe(
        uint256[] calldata venues,
        bytes32[] calldata slots,
        address[] calldata weighted,
        address[] calldata tokens,
        address[] calldata owners
    ) external view returns (bytes memory seen) {
        uint256[] memory states = new uint256[](venues.length);
        for (uint256 i = 0; i < venues.length; i++) states[i] = _stateOf(venues[i]);
        seen = abi.encodePacked(states, _pricesV4(slots));
        for (uint256 i = 0; i < weighted.length; i++) {
            seen = abi.encodePacked(seen, _balancesIn(weighted[i]));
        }
        uint256[] memory held = new uint256[](tokens.length);
        for (uint256 i = 0; i < tokens.length; i++) held[i] = IERC20(tokens[i]).balanceOf(owners[i]);
        seen = abi.encodePacked(seen, held);
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        require(msg.sender == awaited, "not awaited");
        (address payer, address tokenIn, ) = abi.decode(data, (address, address, address));
        _pay(tokenIn, payer, msg.sender, uint256(amount0 > 0 ? amount0 : amount1));
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        require(msg.sender == awaited, "not awaited");
        (address payer, address token0, address token1) = abi.decode(data, (address, address, address));
        if (amount0 > 0) _pay(token0, payer, msg.sender, amount0);
        if (amount1 > 0) _pay(token1, payer, msg.sender, amount1);
    }

    function _stateOf(uint256 venue) private view returns (uint256) {
        address pool = address(uint160(venue));
        if (venue >> 160 == V3) {
            (uint160 price, , , , , , ) = IPool(pool).slot0();
            return price;
        }
        (uint112 reserve0, uint112 reserve1, ) = IPair(pool).getReserves();
        return (uint256(reserve0) << 112) | reserve1;
    }

    function _swap(uint256 venue, address tokenIn, address tokenOut, uint256 amount, address payer, address to)
        private
        returns (uint256)
    {
        address pool = address(uint160(venue));
        uint256 kind = venue >> 160;
        if (kind == V4) return _swapV4(venue, tokenIn, tokenOut, amount, payer, to);
        if (kind > V4) return _swapWeighted(pool, tokenIn, tokenOut, amount, payer, to);
        bool zeroForOne = tokenIn < tokenOut;
        if (kind == V2) return _swapV2(pool, zeroForOne, tokenIn, amount, payer, to);
        awaited = pool;
        uint160 limit = zeroForOne ? MIN_LIMIT : MAX_LIMIT;
        (int256 amount0, int256 amount1) =
            IPool(pool).swap(to, zeroForOne, int256(amount), limit, abi.encode(payer, tokenIn, address(0)));
        awaited = address(0);
        return uint256(-(zeroForOne ? amount1 : amount0));
    }

    /// The amount in is what the pair receives: a token with a transfer tax delivers less than was sent.
    function _swapV2(address pair, bool zeroForOne, address tokenIn, uint256 amount, address payer, address to)
        private
        returns (uint256 out)
    {
        (uint112 reserve0, uint112 reserve1, ) = IPair(pair).getReserves();
        (uint256 reserveIn, uint256 reserveOut) =
            zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
        _pay(tokenIn, payer, pair, amount);
        uint256 afterFee = (IERC20(tokenIn).balanceOf(pair) - reserveIn) * 997;
        out = (afterFee * reserveOut) / (reserveIn * 1000 + afterFee);
        IPair(pair).swap(zeroForOne ? 0 : out, zeroForOne ? out : 0, to, "");
    }

    function _takesEther(uint256 venue) private pure returns (bool) {
        return venue >> 160 == V4 && venue & HAS_ETHER != 0;
    }

    function _sqrt(uint256 x) private pure returns (uint256 y) {
        if (x == 0) return 0;
        y = x;
        uint256 z = x / 2 + 1;
        while (z < y) {
            y = z;
            z = (x / z + z) / 2;
        }
    }
}
